//! Scene + u → bodies and laws: parameters by name (the control vector) and what "least" means.
//!
//! ```text
//! Scene ──Model::new──▶ Model { bodies, parameters, rules for impacts }
//!                          ├─ control() ──▶ ControlVector u, edited by name or by the solver
//!                          └─ World::new(&model, &u) ──▶ World: what the simulation reads
//! ```
//!
//! A parameter stands at the place its [`Role`] gives it: bodies in file order, then pairs, then
//! gravity. u holds all of them, free or locked. A parameter of one impact (`mug/floor#3.normal`) exists
//! once a `[[control]]` mentions it; a rule for all impacts of a pair (`mug/floor#*.normal`) makes
//! parameters when [`Model::with_impacts`] says how many impacts the motion has.
//!
//! Counting impacts is `simulation`; changing u to meet a wish is `solve`.

mod assembled;
mod assembly;
mod body;
mod control;
mod error;
mod field;
mod formulas;
mod machine;
mod material;
mod name;
mod number;
mod overlap;
mod parameter;
mod place;
mod places;
mod quantity_of;
mod role;
mod start_groups;
mod subject;
#[cfg(test)]
mod tests;
mod units;
mod world;
mod world_derivative;

use std::collections::BTreeMap;

use crate::math::Vec3;
use crate::scene::{CHANGING_TIE, ForceKind, Given, JointKind, JointPath, Label, MotorDrive, Scene, Variable, nearest};
use formulas::Formulas;
use name::{EVERY_IMPACT, ImpactSelection, Names, Selection};
use parameter::{Draft, Rule};

pub use assembled::StartGroup;
pub use body::ModelBody;
pub use control::ControlVector;
pub use error::{ModelError, ModelErrors, ModelProblem, NameError, SetError};
pub use field::Field;
pub use machine::Machine;
pub use material::{Material, MaterialDirection};
pub use parameter::{Parameter, ParameterId};
pub use places::HOLDS;
pub use role::{Member, Role};
pub use subject::{Axis, BodyId, ForceId, JointId, KeyId, Pair, Subject, Tilt, VariableId};
pub use units::Units;
pub use world::{BodyProperties, World};
pub use world_derivative::{Quantity, WorldDirection};

/// Faults reported of one scene.
const MOST_ERRORS: usize = 100;

/// A scene made ready for simulation: everything that does not depend on u.
#[derive(Clone, Debug)]
pub struct Model {
    duration: f64,
    rest_speed: f64,
    step: f64,
    max_events: u32,
    units: Units,
    bodies: Vec<ModelBody>,
    machine: Machine,
    /// Numbers that have no parameter of their own.
    formulas: Formulas,
    labels: BTreeMap<String, (BodyId, Vec3)>,
    names: Names,
    /// Sorted by [`Role`]'s order.
    parameters: Vec<Parameter>,
    /// Rules for all impacts of a pair, in the order of the file.
    every_impact: Vec<(ImpactSelection, Rule)>,
}

impl Model {
    /// Gives every parameter of a scene its name, value, freedom and bounds.
    pub fn new(scene: &Scene) -> Result<Model, ModelErrors> {
        let bodies = read_bodies(scene)?;
        let machine = Machine::new(scene);
        let formulas = Formulas::new(scene, &bodies, &machine);
        let mut model = Model {
            duration: scene.duration,
            rest_speed: scene.rest_speed,
            step: scene.step,
            max_events: scene.max_events,
            units: units_of(scene, &bodies),
            names: Names::new(&bodies, &machine),
            bodies,
            machine,
            formulas,
            labels: scene.labels.iter().map(point_of_label).collect(),
            parameters: Vec::new(),
            every_impact: Vec::new(),
        };
        // What is assembled first is looked at where that puts it.
        let mut errors = if scene.assemble { Vec::new() } else { overlap::overlaps(scene, &model.bodies, model.units) };
        errors.extend(not_simulated(scene));
        let mut drafts = model.default_drafts(scene);
        model.free_places(&mut drafts);
        for (index, control) in scene.controls.iter().enumerate() {
            let rule = Rule { index, control: control.clone() };
            if let Err(error) = model.apply(&mut drafts, rule) {
                errors.push(error);
            }
            // So many faults have one cause, and each costs a search for what was meant.
            if errors.len() == MOST_ERRORS {
                return Err(ModelErrors { errors });
            }
        }
        model.check_rules(&mut errors);
        let (parameters, faults) = parameter::finish(drafts.into_values(), &model.bodies, &model.machine);
        errors.extend(faults);
        model.parameters = parameters;
        if scene.assemble && errors.is_empty() {
            errors.extend(World::new(&model, &model.control()).start_errors());
        }
        // A rule for a group can break the same way for each member: one report is enough.
        errors.dedup_by(|later, earlier| later.key == earlier.key);
        errors.truncate(MOST_ERRORS);
        if errors.is_empty() { Ok(model) } else { Err(ModelErrors { errors }) }
    }

    /// The same model with parameters for impacts 1 to `count` of each pair that a rule for all its
    /// impacts speaks of.
    pub fn with_impacts(&self, counts: &[(Pair, u32)]) -> Model {
        let mut new: BTreeMap<Role, Draft> = BTreeMap::new();
        for &(pair, count) in counts {
            for (selection, _) in self.every_impact.iter().filter(|(rule, _)| rule.pair == pair) {
                for role in (1..=count).flat_map(|number| selection.roles_at(number)) {
                    if self.find(&role).is_none() {
                        new.entry(role).or_insert_with(|| self.impact_draft(role));
                    }
                }
            }
        }
        // The rules were checked when the model was built, so that nothing here can be at fault.
        let (added, _) = parameter::finish(new.into_values(), &self.bodies, &self.machine);
        let mut model = self.clone();
        model.parameters.extend(added);
        model.parameters.sort_by_key(|parameter| parameter.role);
        model
    }

    /// The pairs whose impacts get parameters as they occur ([`Model::with_impacts`]).
    pub fn pairs_followed(&self) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = self.every_impact.iter().map(|(selection, _)| selection.pair).collect();
        pairs.sort();
        pairs.dedup();
        pairs
    }

    /// The control vector the scene describes.
    pub fn control(&self) -> ControlVector {
        ControlVector::new(self.parameters.iter().map(|parameter| parameter.value).collect())
    }

    /// A control vector of another model of the same scene, with this model's values where that has none.
    pub fn adopt(&self, other: &Model, u: &ControlVector) -> ControlVector {
        let value = |own: &Parameter| other.find(&own.role).map_or(own.value, |id| u[id]);
        ControlVector::new(self.parameters.iter().map(value).collect())
    }

    /// All parameters, in the order of the control vector.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The parameters the solver may change, in order.
    pub fn free_parameters(&self) -> impl Iterator<Item = ParameterId> {
        let free = |(parameter, id): (&Parameter, u32)| parameter.free.then_some(ParameterId(id));
        self.parameters.iter().zip(0..).filter_map(free)
    }

    /// The parameter of a role, if the model has it.
    pub fn find(&self, role: &Role) -> Option<ParameterId> {
        let index = self.parameters.binary_search_by_key(role, |parameter| parameter.role);
        index.ok().map(|index| ParameterId(index as u32))
    }

    /// The parameter of a name; bodies of a pair may stand in either order.
    pub fn parameter(&self, name: &str) -> Result<ParameterId, NameError> {
        let members = self.group(name)?;
        match members[..] {
            [only] => Ok(only),
            [] => Err(NameError::NotMentioned { name: name.to_owned() }),
            _ => {
                let shown = members.iter().take(6).map(|id| self.parameters[id.index()].name.clone());
                Err(NameError::Group { name: name.to_owned(), members: shown.collect() })
            }
        }
    }

    /// The parameters of a group, or the one of a parameter's name.
    pub fn group(&self, name: &str) -> Result<Vec<ParameterId>, NameError> {
        let roles = match self.select(name)? {
            Selection::Roles(roles) => roles,
            Selection::Impact(selection) => {
                let Some(number) = selection.number else {
                    let selected = |(parameter, id): (&Parameter, u32)| {
                        selection.selects(&parameter.role).then_some(ParameterId(id))
                    };
                    return Ok(self.parameters.iter().zip(0..).filter_map(selected).collect());
                };
                selection.roles_at(number)
            }
        };
        let ids: Vec<ParameterId> = roles.iter().filter_map(|role| self.find(role)).collect();
        if ids.is_empty() { Err(NameError::NotMentioned { name: name.to_owned() }) } else { Ok(ids) }
    }

    /// Changes one entry of a control vector, if its bounds allow the value.
    pub fn set(&self, u: &mut ControlVector, name: &str, value: f64) -> Result<(), SetError> {
        let id = self.parameter(name)?;
        let Parameter { name, role, bounds, .. } = &self.parameters[id.index()];
        if let Subject::Variable(variable) = role.subject
            && let Some(key) = self.formulas.fixed(variable)
        {
            return Err(SetError::Fixed { name: name.clone(), key: key.to_owned() });
        }
        let bounds = self.between(u, role, *bounds, |_, neighbour| neighbour);
        if !(value.is_finite() && bounds.0 <= value && value <= bounds.1) {
            return Err(SetError::Value { name: name.clone(), value, bounds });
        }
        u[id] = value;
        Ok(())
    }

    /// Least and greatest value that a step from u may give a parameter: its bounds, and half the way to a key, border or limit
    /// beside it that may move too, so that they stay in order.
    pub fn bounds_at(&self, u: &ControlVector, id: ParameterId) -> (f64, f64) {
        let Parameter { role, bounds, .. } = &self.parameters[id.index()];
        if self.machine.neighbours(role) == [None, None] {
            return *bounds;
        }
        let (low, high) = self.between(u, role, *bounds, |role, neighbour| {
            let stays = self.find(&role).is_some_and(|id| !self.parameters[id.index()].free);
            if stays { neighbour } else { 0.5 * (neighbour + u[id]) }
        });
        (low.min(u[id]), high.max(u[id]))
    }

    /// Bounds, made narrower by the numbers beside one.
    fn between(
        &self,
        u: &ControlVector,
        role: &Role,
        (low, high): (f64, f64),
        border: impl Fn(Role, f64) -> f64,
    ) -> (f64, f64) {
        let beside =
            self.machine.neighbours(role).map(|role| role.and_then(|role| Some((role, self.value_of(u, &role)?))));
        let [before, after] = beside.map(|beside| beside.map(|(role, value)| border(role, value)));
        (before.map_or(low, |before| low.max(before)), after.map_or(high, |after| high.min(after)))
    }

    /// All bodies, in the order of the file.
    pub fn bodies(&self) -> &[ModelBody] {
        &self.bodies
    }

    /// The body of a name.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.names.body(name)
    }

    /// The body and point of a label; the point in the body's frame, from its centre of mass.
    pub fn label(&self, name: &str) -> Option<(BodyId, Vec3)> {
        self.labels.get(name).copied()
    }

    /// The body's or label's name that was probably meant.
    pub fn nearest_body(&self, name: &str) -> Option<&str> {
        let labels = self.labels.keys().map(String::as_str);
        nearest(name, self.bodies.iter().map(|body| body.name.as_ref()).chain(labels))
    }

    /// Two different bodies in canonical order.
    pub fn pair(&self, one: BodyId, other: BodyId) -> Pair {
        Pair::new(one, other, |body| self.bodies[body.index()].drive.is_pushed())
    }

    /// The units in which it is simulated.
    pub fn units(&self) -> Units {
        self.units
    }

    /// The motion runs from 0 to this time, s.
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// The motion ends after this many events.
    pub fn max_events(&self) -> u32 {
        self.max_events
    }

    /// The same model for a shorter or longer motion.
    pub fn with_duration(&self, duration: f64) -> Model {
        Model { duration, ..self.clone() }
    }

    /// Parameters of bodies and gravity, as free as they are by default.
    fn default_drafts(&self, scene: &Scene) -> BTreeMap<Role, Draft> {
        let of_body = |(body, index): (&ModelBody, u32)| {
            let roles: Vec<Role> = body.roles(BodyId(index)).collect();
            roles.into_iter().zip(body.values.clone()).map(|(role, value)| Draft::new(role, value)).collect::<Vec<_>>()
        };
        let of_gravity = |role: Role| Draft::new(role, scene.gravity[role.member.index()]);
        let gravity = Field::Gravity.of(Subject::Scene).group().map(of_gravity);
        let bodies = self.bodies.iter().zip(0..).flat_map(of_body);
        let roles = self.machine.subjects().flat_map(|subject| self.machine.roles_of(subject));
        let machine = roles.filter_map(|role| Some(Draft::new(role, self.machine.value(&role)?)));
        let own = bodies.chain(gravity).chain(machine).filter(|draft| !self.formulas.give(&draft.role));
        let mut drafts: BTreeMap<_, _> = own.map(|draft| (draft.role, draft)).collect();
        for draft in drafts.values_mut() {
            let moves = draft.role.body().is_some_and(|body| self.bodies[body.index()].drive.is_pushed());
            draft.free = moves && draft.role.row().is_free;
        }
        drafts
    }

    /// Places that follow joints are free.
    fn free_places(&mut self, drafts: &mut BTreeMap<Role, Draft>) {
        if self.machine.joints.is_empty() {
            return;
        }
        (self.parameters, _) = parameter::finish(drafts.values().cloned(), &self.bodies, &self.machine);
        for body in World::given(self, &self.control()).bodies_held_in_place() {
            let places = Field::Position.of(BodyId(body as u32)).group();
            places.for_each(|role| drafts.get_mut(&role).into_iter().for_each(|draft| draft.free = true));
        }
    }

    /// Whether nothing joins its bodies.
    pub fn has_no_joints(&self) -> bool {
        self.machine.joints.is_empty()
    }

    /// Whether the start is projected onto its joints before time begins.
    pub fn assembles(&self) -> bool {
        self.machine.assemble
    }

    /// These bodies and all that joints hold together with them from the start, in order.
    pub fn joined_with(&self, bodies: &[BodyId]) -> Vec<BodyId> {
        let mut all = bodies.to_vec();
        let is_pushed = |body: usize| self.bodies[body].drive.is_pushed();
        for group in self.machine.start_groups(self.bodies.len(), is_pushed) {
            let mut members = group.members.into_iter().filter(|&body| is_pushed(body)).map(|body| BodyId(body as u32));
            if members.clone().any(|body| bodies.contains(&body)) {
                all.extend(&mut members);
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What a name selects; numbers that something else gives are no parameters.
    fn select(&self, name: &str) -> Result<Selection, NameError> {
        let selection = self.names.select(&self.bodies, &self.machine, name)?;
        let Selection::Roles(mut roles) = selection else { return Ok(selection) };
        let first = roles.first().copied();
        roles.retain(|role| !self.formulas.give(role));
        match first.filter(|_| roles.is_empty()).and_then(|role| self.formulas.why(&role)) {
            Some(why) => Err(NameError::NotOwn { name: name.to_owned(), why }),
            None => Ok(Selection::Roles(roles)),
        }
    }

    /// Whether moments follow the mass: those that the file gives beside a formula stay, as reading the file again would have it.
    pub(crate) fn inertia_follows(&self, body: BodyId) -> bool {
        let formula = |field: Field| self.formulas.have(field, body);
        !(self.bodies[body.index()].has_own_inertia && (formula(Field::Mass) || formula(Field::Inertia)))
    }

    /// How the number of a role changes with parameters: with its own, or with the variables of its formula.
    pub fn dependence(&self, u: &ControlVector, role: &Role) -> Vec<(ParameterId, f64)> {
        if let Some(id) = self.find(role) {
            return vec![(id, 1.0)];
        }
        let variable = |(variable, rate): (VariableId, f64)| Some((self.find(&Field::Itself.of(variable))?, rate));
        self.formulas.gradient(role, &self.variables(u)).into_iter().filter_map(variable).collect()
    }

    /// The number of a role at u, if it comes from a parameter or a formula.
    pub fn value_of(&self, u: &ControlVector, role: &Role) -> Option<f64> {
        self.find(role).map(|id| u[id]).or_else(|| self.formulas.value(role, &self.variables(u)))
    }

    /// The variables at u.
    fn variables(&self, u: &ControlVector) -> Vec<Variable> {
        let mut variables = self.machine.variables.clone();
        for (variable, index) in variables.iter_mut().zip(0..) {
            self.find(&Field::Itself.of(VariableId(index))).into_iter().for_each(|id| variable.value = u[id]);
        }
        variables
    }

    /// Joints, forces, tracks and variables as the file has them.
    pub(crate) fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Applies one `[[control]]`; a rule for all impacts is also kept for impacts to come.
    fn apply(&mut self, drafts: &mut BTreeMap<Role, Draft>, rule: Rule) -> Result<(), ModelError> {
        let name = rule.control.parameter.clone();
        let selection = self
            .names
            .select(&self.bodies, &self.machine, &name)
            .map_err(|error| rule.error("parameter", error.into()))?;
        rule.check()?;
        let roles = match selection {
            Selection::Roles(roles) => roles,
            Selection::Impact(selection) => match selection.number {
                Some(number) => selection.roles_at(number),
                None => {
                    let selected = |draft: &&mut Draft| selection.selects(&draft.role);
                    drafts.values_mut().filter(selected).for_each(|draft| draft.apply(&rule));
                    self.every_impact.push((selection, rule));
                    return Ok(());
                }
            },
        };
        for role in roles {
            rule.check_value(&role, &name)?;
            self.check_free(&rule, &role)?;
            drafts.entry(role).or_insert_with(|| self.impact_draft(role)).apply(&rule);
        }
        Ok(())
    }

    /// A variable that shapes or settings need stays as it is; a tie that changes is not too short.
    fn check_free(&self, rule: &Rule, role: &Role) -> Result<(), ModelError> {
        if rule.control.free != Some(true) {
            return Ok(());
        }
        let name = || rule.control.parameter.clone();
        if let Subject::Variable(variable) = role.subject
            && let Some(key) = self.formulas.fixed(variable)
        {
            let key = key.to_owned();
            return Err(rule.error("free", ModelProblem::FixedVariable { name: name(), key }));
        }
        let value = self.machine.value(role).filter(|_| role.subject.joint().is_some() && role.field == Field::Length);
        match value.filter(|&value| value < CHANGING_TIE.from) {
            Some(value) => Err(rule.error("free", ModelProblem::ShortTie { name: name(), value })),
            None => Ok(()),
        }
    }

    /// A parameter of one impact, as the rules for all impacts of its pair make it.
    fn impact_draft(&self, role: Role) -> Draft {
        let value = match (role.impact(), role.field) {
            (Some((pair, _)), Field::Restitution | Field::Friction) => {
                let value = |body: BodyId| self.value_in_file(body, role.field.of(body));
                material::mixed(value(pair.first), value(pair.second))
            }
            _ => 0.0,
        };
        let mut draft = Draft::new(role, value);
        for (selection, rule) in &self.every_impact {
            if selection.selects(&role) {
                draft.apply(rule);
            }
        }
        draft
    }

    fn value_in_file(&self, body: BodyId, wanted: Role) -> f64 {
        let model = &self.bodies[body.index()];
        let found = model.roles(body).zip(&model.values).find(|(role, _)| *role == wanted);
        found.map_or(0.0, |(_, value)| *value)
    }

    /// Tries the rules for all impacts on an impact of their pair, so that later ones cannot fail.
    fn check_rules(&self, errors: &mut Vec<ModelError>) {
        let roles = self.every_impact.iter().flat_map(|(selection, _)| selection.roles_at(EVERY_IMPACT));
        let drafts = roles.map(|role| self.impact_draft(role));
        errors.extend(parameter::finish(drafts, &self.bodies, &self.machine).1);
    }
}

/// A machine flies the same at every size, and nothing may touch it: it needs no units of its own.
fn units_of(scene: &Scene, bodies: &[ModelBody]) -> Units {
    let is_guided = scene.bodies.iter().any(|body| body.drive.guide().is_some());
    let is_machine = !scene.joints.is_empty() || !scene.forces.is_empty() || is_guided;
    if is_machine { Units::SI } else { Units::of(scene.step, bodies) }
}

/// What a scene may describe and the simulation does not follow.
fn not_simulated(scene: &Scene) -> Option<ModelError> {
    let error = |key: String, what| Some(ModelError { key, problem: ModelProblem::NotSimulated { what } });
    for (index, joint) in scene.joints.iter().enumerate() {
        match &joint.kind {
            JointKind::OnPath { path: JointPath::Spline { .. }, .. }
            | JointKind::FollowPath { path: JointPath::Spline { .. }, .. } => {
                return error(format!("joint[{index}].path"), "splines");
            }
            JointKind::FullOrientation { rotation: Given::Track(_) } => {
                return error(format!("joint[{index}].rotation"), "orientations that follow a track");
            }
            _ => {}
        }
    }
    for (index, force) in scene.forces.iter().enumerate() {
        match &force.kind {
            ForceKind::Motor { joint, drive: MotorDrive::Angle(_) }
                if matches!(scene.joints[*joint].kind, JointKind::Hinge { .. }) =>
            {
                return error(format!("force[{index}].angle"), "motors that follow a track of angles");
            }
            ForceKind::Motor { drive: MotorDrive::Speed { max_torque: Some(_), .. }, .. } => {
                return error(format!("force[{index}].max_torque"), "motors with a greatest torque");
            }
            ForceKind::TorsionSpring { rotation: Some(Given::Track(_)), .. } => {
                return error(format!("force[{index}].rotation"), "torsion springs that follow a track");
            }
            _ => {}
        }
    }
    None
}

fn point_of_label(label: &Label) -> (String, (BodyId, Vec3)) {
    (label.name.clone(), (BodyId(label.body as u32), label.point))
}

fn read_bodies(scene: &Scene) -> Result<Vec<ModelBody>, ModelErrors> {
    let (mut bodies, mut errors) = (Vec::with_capacity(scene.bodies.len()), Vec::new());
    for (index, body) in scene.bodies.iter().enumerate() {
        match ModelBody::new(body) {
            Ok(body) => bodies.push(body),
            Err(problem) => errors.push(ModelError { key: format!("body[{index}].shape"), problem }),
        }
    }
    if errors.is_empty() { Ok(bodies) } else { Err(ModelErrors { errors }) }
}
