//! The tolerances of geometry, each a multiple of a few base quantities: [`TOUCHING`] for lengths, [`FLAT`] for angles, and
//! [`ROUNDING`] for what is measured as a part of a body's own size.
//!
//! Metres are those of a scene of usual size: others are simulated in units of their own (`model::units`). What only one search
//! goes by, and changes no answer, stands beside it: its longest steps, and how often it tries.

// Lengths, m.

/// What is nearer than this touches: bodies with such a gap between them, a point so far outside of a face, corners so much
/// higher than the lowest. It is a hundred million roundings of a metre and a hundredth of what anyone could see. With more,
/// bodies would be held apart from each other visibly; with less, rounding would let go of what lies on something.
pub const TOUCHING: f64 = 1e-8;
/// Half of what touches: a circle that is lower on one side than on the other by less than twice this lies on its cap, and hulls deeper
/// than this are measured along all axes. With more, a circle would lie whose lowest point alone touches; with less, caps of
/// stacked cylinders would stand on their rims.
pub(in crate::geometry) const HALF_TOUCHING: f64 = 0.5 * TOUCHING;
/// How far outside of a polygon a corner of a patch may be, so that borders that coincide belong to both, and by how much an axis
/// must separate more than all known ones to be taken. With less, rounding would take corners from a patch.
pub(in crate::geometry) const BORDER: f64 = 0.1 * TOUCHING;
/// An edge axis must win by this much, so that a tie goes to a face. With less, rounding would let edges win.
pub(in crate::geometry) const FACE_PREFERENCE: f64 = 1e-4 * TOUCHING;
/// A contact's own normal must separate to within this of the best. With more, the wrong side of a corner would touch; with less,
/// the right one would not where the best axis is that exact only.
pub(in crate::geometry) const OWN_AXIS: f64 = 10.0 * TOUCHING;
/// Contacts nearer than this are one, and faces whose axis separates less than the best by no more lie on each other. With more,
/// corners of small bodies would be lost; with less, one contact would count twice, and its load be anyone's.
pub(in crate::geometry) const SAME_POINT: f64 = 100.0 * TOUCHING;
/// A face that separates this much more than the other is the reference of a patch. Of faces that separate alike it is one that
/// stays the same while they move: a reference that changed would change every contact of the patch.
pub(in crate::geometry) const REFERENCE_PREFERENCE: f64 = 1000.0 * TOUCHING;
/// Elements of which a corner is this near to the foremost one along the axis of an egg and another body may touch: the axis is
/// that exact. With less, the element that touches could be passed over.
pub(in crate::geometry) const EGG_FRONT: f64 = 1000.0 * TOUCHING;
/// A hull thinner than this has no inside that contacts could respect.
pub(in crate::geometry) const THINNEST_HULL: f64 = 100.0 * TOUCHING;

// Angles, rad or their sines.

/// Faces flatter to each other than this form a patch, and contacts at one point with normals as near are one. With more, what
/// leans would lie; with less, faces that land nearly flat would rattle from corner to corner.
pub(in crate::geometry) const FLAT: f64 = 1e-4;
/// Directions nearer than this are parallel: such edges do not cross and make no axis, and such axes of cylinders have no normal
/// between them. With less, cross products would be made of rounding.
pub(in crate::geometry) const PARALLEL: f64 = FLAT / 100.0;
/// Edges nearer to parallel than this do not cross where other features touch, and their axis turns too fast to be followed.
pub const NEARLY_PARALLEL: f64 = 10.0 * FLAT;
/// Edges nearer to parallel than this do not cross within a patch: corners of nearly parallel edges would run along them faster
/// than the faces turn. What they add to the polygon is a sliver of at most a hundredth of its side.
pub(in crate::geometry) const PATCH_PARALLEL: f64 = 200.0 * FLAT;
/// Slack of a normal against the cone of a vertex or edge, and of a circle's axis against a normal along it. With less, rounding
/// would open gaps between cones.
pub(in crate::geometry) const CONE: f64 = 1e-5 * FLAT;

// Parts of a body's size.

/// What rounding leaves of zero: distances of corners from the plane of their face, moments off the diagonal, areas of empty
/// triangles (of the squared size).
pub(in crate::geometry) const ROUNDING: f64 = 1e-14;
/// A separation this near to an element's own gap is equal to it. It is what the search for an egg's normal leaves.
pub(in crate::geometry) const SAME_GAP: f64 = 100.0 * ROUNDING;
/// A point this far outside of a face of a hull is on it.
pub(in crate::geometry) const ON_FACE: f64 = 1e5 * ROUNDING;
/// A hull thinner than this part of its length is flat as far as rounding can tell; cylinders deeper than this part of their size
/// are measured along the normals of all elements.
pub(in crate::geometry) const THIN: f64 = 1e7 * ROUNDING;
/// Corners of a body that are nearer than this are in one place, and a piece that reaches so far in front of a face covers it.
pub(in crate::geometry) const SAME_PLACE: f64 = 1e8 * ROUNDING;
/// How far from a face's border it is tested whether another piece covers it.
pub(in crate::geometry) const COVER_INSET: f64 = 1e9 * ROUNDING;
/// Hulls nearer than this are measured along the axes of features; eggs deeper than this along the normals of all elements.
pub(in crate::geometry) const NEAR: f64 = 1e10 * ROUNDING;
/// Features within this of the foremost vertex of a hull are candidates.
pub(in crate::geometry) const FRONT: f64 = 1e11 * ROUNDING;
/// Curved bodies farther apart than this need not have the best axis: that between their nearest points will do.
pub(in crate::geometry) const FAR_APART: f64 = 1e12 * ROUNDING;
