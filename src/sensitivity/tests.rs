//! Forward and reverse on small scenes.
