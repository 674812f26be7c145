//! Exact, differentiable motions of rigid bodies, from a scene a person can write by hand.
//!
//! A motion is a chain of smooth phases joined by events:
//!
//! ```text
//! phase:  q̇ = F(t, q, u)                    free flight; steps of a held group; rest
//! event:  E(t, q, u) = 0  at  t = t_c(u)     two bodies meet, sliding ends, a contact parts
//!         q⁺ = q⁻ + I(q⁻, u)                 impulses, or nothing at all
//! all of it:  q(t) = S(t, u)                 the simulation function
//! ```
//!
//! Flight is not stepped: it is evaluated at any time, and the time of an impact is a root found to round-off. Contact
//! that lasts advances on a fixed grid of times, with steps cut at the exact times of what happens between. Every
//! phase and every event knows its own derivative. So S is a function of the control vector u (initial states, masses,
//! materials, gravity, each by name) that can be evaluated, trusted and differentiated.
//!
//! ```text
//! scene file ──▶ Scene ──┐
//!                        ├─▶ Model ──simulate──▶ Trajectory { phases, events, end }
//! u (control vector) ────┘                          │
//!                                                   ├─▶ states at any time, events, pictures: editor, command line
//!                                                   └─▶ tape ──sensitivity──▶ rows of ∂S(t,u)/∂u, ∂t_c/∂u
//! ```
//!
//! # Rooms
//!
//! In order of dependency: a room uses only rooms above it.
//!
//! | room | answers |
//! |---|---|
//! | [`math`] | no physics: functions with the same bits on every machine, vectors, rotations (exp, log and their derivatives), roots, formulas as text |
//! | [`geometry`] | how far apart two shapes are, where they touch (E, contact point, normal) and how that changes with pose; what a shape weighs; a folder for each kind of body |
//! | [`files`] | how the program touches the disk: bounded reading, files that appear whole, which names may be followed |
//! | [`scene`] | what a person described, and how each body is driven; refusing it with reasons |
//! | [`dynamics`] | F: state and tangent, free flight and its derivatives |
//! | [`model`] | Scene + u → bodies and laws: parameters by name |
//! | [`contact`] | I: the contact problem of one instant and its derivative; the impact law |
//! | [`simulation`] | S: candidate pairs, the next event, held groups and their steps, the loop, [`Trajectory`] |
//! | [`sensitivity`] | ∂S/∂u: the derivatives of phases and events multiplied together along the tape, forward and in reverse; checked by differences |
//! | [`goal`] | what a person wishes: nails, expressions, event times, regions as residuals and their gradients |
//! | [`solve`] | rows → least-norm δu, step length, jumps by sampling |
//! | [`session`] | edits as data: journal, undo, saving, replay |
//! | [`picture`] | a motion as seen: camera, rasteriser without a graphics card, PNG |
//! | [`export`] | the motion for other programs, with its impacts; reading it back |
//! | `editor` | the window: the whole motion at once, seen and directed by hand (feature `editor`) |
//! | [`cli`] | one file per command; opens the editor |
//!
//! # Which file
//!
//! Every room's opening has its own map. Where a new one of something goes:
//!
//! | | |
//! |---|---|
//! | shape | a folder of `geometry/curved` or a file of `geometry/polyhedra`; the table that opens `geometry` names the rest. Pieces are convex: a torus is several (`geometry/pieces`) |
//! | derivative of a normal | beside the contact it belongs to, as `geometry/polyhedra/edge_edge_contact` |
//! | law of friction | `contact/law/friction`; its numbers are mixed in `model/material` |
//! | joint (a pin, a hinge), force | its rows D and J, or what it pulls with, are in `dynamics/joined` (`rows`, `forces`, chosen in `build`); how it is read in `scene/machine`, its numbers in `model/machine`, how it is seen in `picture/machine_marks`, in files for other programs in `export/marks`; what impacts make of equality rows is under `contact/law/equality` |
//! | joint or force in a file | its data in `scene/machine`, its keys and refusals in `scene/machine/read`, its numbers in `model/number` |
//! | parameter | a row of the table in `model/field`, the place that applies it (`model/world`) and its derivative beside it |
//! | way a body is driven | `scene/drive` |
//! | time grid of lasting contact | `simulation/held/grid` |
//! | wish ("face up") | `goal`, with its residual in `goal/state`; how it is written in `scene/nail`, how it is chosen in the window in `editor/panels/nails` |
//! | distribution of samples | the numbers `solve/random`, where and how wide `solve/jump` |
//! | file format | a file or folder of `export` |
//! | autosave, recovery | `autosave` in `editor::work` |
//! | colour, width, size in the window | `theme` in `editor::look` |
//!
//! # Scale
//!
//! A scene L times as large whose times are √L times as long has the same events. Every tolerance is written in metres and
//! seconds for the usual step and bodies between a centimetre and a metre; each scene is simulated in units of its own in which it
//! is one of those (`model::units`: unit of time = step/(1/240 s), unit of length its square, but so that the smallest moving body
//! measures from 0.01 to 1). All that leaves `simulation` and `sensitivity` is in metres and seconds again, but
//! the tape and the world of [`Trajectory::in_own_units`].
//!
//! # Notation
//!
//! Comments use these symbols, code uses the names.
//!
//! | symbol | meaning | in code |
//! |---|---|---|
//! | q | state of all bodies: position, orientation, linear and angular velocity | `BodyState`, `q` |
//! | δq | tangent vector at q: δx, δθ, δv, δω with R ← exp(\[δθ\])·R; a rotation is a 3-vector, never four quaternion numbers | `StateTangent` |
//! | u, δu | control vector, its change | `ControlVector`, `u`, `du` |
//! | F(t,q,u) | free flight: q̇ = F | `Flight`, `rate` |
//! | E(t,q,u) | event function; a contact begins where it falls through 0 | `gap`, `separation` |
//! | t_c | time at which E = 0 | `t_c`, `t` of an event |
//! | q⁻, q⁺ | state just before, just after t_c | `q_minus`, `q_plus` |
//! | I(q⁻,u) | what an impact adds: q⁺ = q⁻ + I(q⁻,u) | `impact` |
//! | S(t,u) | simulation: q(t) = S(t,u) | `simulate`, `Trajectory::at` |
//! | X_y | partial derivative ∂X/∂y | `dx_dy` |
//! | c(u), C_u | residuals of goals and their Jacobian | `residual`, `dc_du` |
//! | w | relative velocity at contacts (normal w_n, tangential w_t) | `contact_velocity` |
//! | p | impulse at contacts (normal p_n, tangential p_t) | `impulse` |
//! | K | how contact velocities answer contact impulses: w⁺ = w + K·p | `GroupContact` and the solver |
//! | M | metric on u (what "least" means) | `metric` |
//! | x, R, v, ω | position, orientation, velocity and spin of one body, in the world frame | `position`, `rotation`, `velocity`, `spin` |
//! | Λ_i | principal moments of inertia | `inertia` |
//! | σ | spin in the principal frame | `spin_in_principal` |
//! | L, T | angular momentum, energy of turning | `angular_momentum`, `kinetic_energy` |
//!
//! Letters that collide in this field, settled once: inertia is the word `inertia`, never I; the identity is
//! "identity"; a sensitivity is dq/du, never S; force is `force`, never F; restitution is `restitution`, never E.
//! Derivatives are named `d<what>_d<by>`, rows × columns. Everything is SI, and `f64` except pixels.
//!
//! # Invariants
//!
//! What is deliberately absent; `tests/claims/tidy.rs` checks what a text search can.
//!
//! 1. No window toolkit outside the editor; files are read and written by `files` only, for `scene`, `session`, `picture`, `export`,
//!    `editor` and `cli`.
//! 2. `simulate` is a function: no clock, no random numbers, no hash-order iteration, no threads inside. Same scene and
//!    u, same bits, on every machine: no function of the platform's, no fused multiply-add (`math::elementary`), and
//!    `tests/hashes.txt` lists them.
//! 3. `simulation` knows nothing of chained derivatives: S runs alone; derivatives are a second pass over a finished
//!    trajectory.
//! 4. Derivatives are closed forms, never differences; differences only check them.
//! 5. Numbers that reach `Model` are finite: refused at the door, not tested for later.
//! 6. No letter has two meanings.
//!
//! # References
//!
//! - `[Popović 2000]` J. Popović, S. M. Seitz, M. Erdmann, Z. Popović, A. Witkin, *Interactive Manipulation of Rigid
//!   Body Simulations*, Proceedings of SIGGRAPH 2000, pp. 209–217.
//! - `[Barzel 1988]` R. Barzel, A. H. Barr, *A Modeling System Based On Dynamic Constraints*, Computer Graphics
//!   (Proceedings of SIGGRAPH 88) 22(4), pp. 179–188.
//! - `[Witkin 1990]` A. Witkin, M. Gleicher, W. Welch, *Interactive Dynamics*, Computer Graphics (1990 Symposium on
//!   Interactive 3D Graphics) 24(2), pp. 11–21.
//! - `[Witkin 1997]` A. Witkin, *Constrained Dynamics*, in *Physically Based Modeling: Principles and Practice*, SIGGRAPH
//!   course notes 1997.
//! - `[Alart 1991]` P. Alart, A. Curnier, *A Mixed Formulation for Frictional Contact Problems Prone to Newton Like
//!   Solution Methods*, Computer Methods in Applied Mechanics and Engineering 92(3), 1991, pp. 353–375.
//! - `[CHARLI]` C. M. Herr, B. L. M. Wyvill, *Towards Generalised Motion Dynamics for Animation*, Graphics Interface 1990.

pub mod cli;
pub mod contact;
pub mod dynamics;
#[cfg(feature = "editor")]
pub mod editor;
pub mod export;
pub mod files;
pub mod geometry;
pub mod goal;
pub mod math;
pub mod model;
pub mod picture;
pub mod scene;
pub mod sensitivity;
pub mod session;
pub mod simulation;
pub mod solve;

pub use model::Model;
pub use scene::Scene;
pub use simulation::{Trajectory, simulate};

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
