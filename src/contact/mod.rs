//! The contact problem of one instant, its derivative, and the impact law built on it.
//!
//! ```text
//! w⁺ = w + K·p,   0 ≤ p_n ⊥ w⁺_n ≥ 0,   |p_t| ≤ μ·p_n,   sliding: p_t = −μ·p_n·w⁺_t/|w⁺_t|
//! ```
//!
//! with a turning impulse of at most c·p_n against relative spin where a contact resists rolling. `law` and `rolling`
//! state this for one contact as a root G = 0, `laws` for all; `problem` is what is asked, `frame` has the contact axes
//! and `group` turns bodies and contacts into w and K, which change as `group_tangent` and `group_cotangent` say. `solver`
//! finds the root for all contacts of a group by `newton`, started by `sweep`, and where that fails along `path`; `single`
//! is its short way for one contact. `solution` carries derivatives through the root in both directions. `branches` is
//! the linear problem that is left where every contact's branch is given. `impact` is Poisson's hypothesis on top, held
//! to its energy by `energy`; how it changes is `impact_derivative` with `impact_rows`, and `single_derivative` for one
//! contact.
//!
//! Newton's matrix is factorised by `system` in one of two ways. Small groups: a dense `factor` with K formed. Large
//! groups: `rows` keeps what K is the product of, and `body_factor` has 6 unknowns per body, as sparse as the bodies
//! touch (`elimination`, `blocks`).
//!
//! Finding contacts is `geometry` and `simulation`; stepping a held group through time is `simulation`, which
//! calls the same `solver`.

pub mod branches;
pub mod frame;
pub mod group;
pub mod group_tangent;
pub mod impact;
pub mod law;
pub mod problem;
pub mod rolling;
pub mod solution;
pub mod solver;

mod blocks;
mod body_factor;
mod elimination;
mod energy;
mod factor;
mod group_cotangent;
mod impact_derivative;
mod impact_rows;
mod laws;
mod newton;
mod path;
mod rows;
mod single;
mod single_derivative;
mod sweep;
mod system;

pub use group::{BodyDirection, ContactDirection, GroupBody, GroupContact};
pub use impact::{Impact, ImpactDirection, impact};
pub use impact_rows::ImpactRows;
pub use problem::{ContactProblem, Response, RollingContact};
pub use solution::{ContactCotangent, ContactProblemDirection, ContactSolution};
pub use solver::{ContactWorkspace, solve};
