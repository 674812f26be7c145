//! The linear algebra below the contact problem, which knows nothing of laws.
//!
//! `factor` is a dense matrix, solved also transposed. `response` is K, formed, or kept as
//! the product that it is, body by body (`body_rows`); what is factorised then is `block_matrix`, with 6 × 6 blocks as sparse as the bodies touch
//! (`elimination`). `relaxation` changes impulses row by row.

pub(in crate::contact) mod block_matrix;
pub(in crate::contact) mod body_rows;
pub(in crate::contact) mod elimination;
pub(in crate::contact) mod factor;
pub(in crate::contact) mod relaxation;
pub(in crate::contact) mod response;
pub(in crate::contact) mod triple;
