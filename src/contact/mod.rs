//! The contact problem of one instant, its derivative, and the impact law built on it.
//!
//! ```text
//! w⁺ = w + K·p,   0 ≤ p_n ⊥ w⁺_n ≥ 0,   |p_t| ≤ μ·p_n,   sliding: p_t = −μ·p_n·w⁺_t/|w⁺_t|
//! ```
//!
//! with a turning impulse of at most c·p_n against relative spin where a contact resists rolling, and w⁺ = 0 of rows that hold.
//! Contacts, rolling and what holds are one list of blocks of three rows with a law each. In order of dependency:
//!
//! | folder or file | answers |
//! |---|---|
//! | `linear` | matrices: dense, and as sparse as bodies touch |
//! | `law` | what one block of rows demands: friction, rolling resistance, equality; the list of all blocks |
//! | `group` | bodies that touch → the axes of contacts, w and K, and how these change |
//! | `problem` | what is asked at one instant |
//! | `solve` | the root of all laws at once, and its derivative in both directions |
//! | `impact` | Poisson's hypothesis on top, and its derivative |
//!
//! Finding contacts is `geometry` and `simulation`; stepping a held group through time is `simulation`, which
//! calls the same `solve`.

pub mod group;
pub mod impact;
pub mod law;
pub mod problem;
pub mod solve;

mod linear;
mod settings;

pub use group::{BodyDirection, ContactDirection, GroupBody, GroupContact, RowBlock, RowBlockDirection, Rows};
pub use group::{frame, tangent as group_tangent};
pub use impact::{Impact, ImpactDirection, ImpactRows, impact, joined_impact};
pub use linear::response::Response;
pub use problem::ContactProblem;
pub use settings::{COMPLIANCE, TOLERANCE};
pub use solve::solution::{ContactCotangent, ContactProblemDirection, ContactSolution};
pub use solve::solver::{ContactWorkspace, solve};
pub use solve::{branches, solver};
