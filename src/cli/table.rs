//! A motion as a person reads it: a heading, the events, the states, in aligned columns.

use super::motion::{BodyLine, EventLine, Motion, StatesAt};
use crate::scene::Scene;

/// The whole readable output; `why` explains the end.
pub(super) fn print(scene: &Scene, motion: &Motion, why: &str) -> String {
    let mut text = heading(&scene.title, scene.duration, scene.bodies.len());
    text += &events(&motion.events);
    for states in &motion.states {
        text += &states_at(states);
    }
    text += &format!("\nThe motion ended: {why}.\n");
    motion.machine.iter().for_each(|line| text += &format!("Note: {}.\n", line.sentence));
    text
}

fn heading(title: &str, duration: f64, body_count: usize) -> String {
    let title = if title.is_empty() { "Untitled scene" } else { title };
    let bodies = if body_count == 1 { "1 body".to_owned() } else { format!("{body_count} bodies") };
    format!("{title}: {duration} s, {bodies}\n")
}

fn events(events: &[EventLine]) -> String {
    if events.is_empty() {
        return "\nNo events.\n".to_owned();
    }
    let head = ["t [s]", "event", "bodies", "impulse [N s]", "x [m]", "y", "z", ""];
    let rows: Vec<_> = events.iter().map(event_row).collect();
    format!("\nEvents\n{}", aligned(head, &rows))
}

/// Many points of one impact show as their mean and the sum of their impulses.
fn event_row(event: &EventLine) -> [String; 8] {
    let sum = |vectors: &[[f64; 3]]| {
        let add = |sum: [f64; 3], vector: &[f64; 3]| [0, 1, 2].map(|axis| sum[axis] + vector[axis]);
        vectors.iter().fold([0.0; 3], add)
    };
    let count = event.points.len();
    let [x, y, z] = sum(&event.points).map(|entry| number(entry / count.max(1) as f64));
    let impulse = sum(&event.impulses).map(|entry| entry * entry).iter().sum::<f64>().sqrt();
    let counted = if event.kind == "impact" { format!("#{}", event.number) } else { String::new() };
    let grazing = if event.grazing { "grazing" } else { "" };
    let points = if count > 1 { format!("mean of {count} points") } else { String::new() };
    let note = [grazing, &points].join(" ").trim().to_owned();
    let bodies = format!("{}/{}{counted}", event.bodies[0], event.bodies[1]);
    [format!("{:.9}", event.t), event.kind.to_owned(), bodies, number(impulse), x, y, z, note]
}

fn states_at(states: &StatesAt) -> String {
    let head = ["body", "x [m]", "y", "z", "qx", "qy", "qz", "qw", "vx [m/s]", "vy", "vz", "spin x [rad/s]", "y", "z"];
    let rows: Vec<_> = states.bodies.0.iter().map(|(name, line)| state_row(name, line)).collect();
    format!("\nStates at {} s\n{}", states.t, aligned(head, &rows))
}

fn state_row(name: &str, line: &BodyLine) -> [String; 14] {
    let [x, y, z] = line.position.map(number);
    let [qx, qy, qz, qw] = line.rotation.map(number);
    let [vx, vy, vz] = line.velocity.map(number);
    let [sx, sy, sz] = line.spin.map(number);
    [name.to_owned(), x, y, z, qx, qy, qz, qw, vx, vy, vz, sx, sy, sz]
}

/// Six decimals where that shows the number, powers of ten where it would not.
pub(super) fn number(number: f64) -> String {
    let size = number.abs();
    // Adding zero makes a negative zero positive: its sign would only puzzle a reader.
    if size == 0.0 || (5e-7..1e6).contains(&size) { format!("{:.6}", number + 0.0) } else { format!("{number:.3e}") }
}

/// Columns two blanks apart: numbers to the right so that their points stand below each other, words to
/// the left.
pub(super) fn aligned<const N: usize>(head: [&str; N], rows: &[[String; N]]) -> String {
    let length = |column: usize| {
        let cells = rows.iter().map(move |row| row[column].chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: [usize; N] = std::array::from_fn(length);
    let is_number = |cell: &String| cell.is_empty() || cell.parse::<f64>().is_ok();
    let right: [bool; N] = std::array::from_fn(|column| rows.iter().all(|row| is_number(&row[column])));
    let line = |cell: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        for (column, (width, right)) in widths.into_iter().zip(right).enumerate() {
            let cell = cell(column);
            text += &if right { format!("  {cell:>width$}") } else { format!("  {cell:<width$}") };
        }
        text.trim_end().to_owned() + "\n"
    };
    let mut text = line(&|column| head[column].to_owned());
    rows.iter().for_each(|row| text += &line(&|column| row[column].clone()));
    text
}

#[cfg(test)]
mod tests {
    use super::super::motion::tests::example;
    use super::*;

    #[test]
    fn numbers_show_their_size() {
        assert_eq!(number(-0.0), "0.000000");
        assert_eq!(number(-9.81), "-9.810000");
        assert_eq!(number(1e-9), "1.000e-9");
        assert_eq!(number(-123456789.0), "-1.235e8");
    }

    #[test]
    fn columns_stand_below_each_other() {
        let text = states_at(&example().states[0]) + &events(&example().events);
        let lines: Vec<&str> = text.lines().collect();
        let end = |line: usize, word: &str| lines[line].find(word).expect(word) + word.len();
        assert_eq!(end(2, "x [m]"), end(3, "1.000000"));
        assert_eq!(end(3, "1.000000"), end(4, "1.000e-300"));
        assert_eq!(end(3, "-0.333333"), end(4, "-0.333333"));
        let event =
            "  0.310000000  impact  zebra/floor#1       5.000000  1.000000  0.000000  0.000000  mean of 2 points";
        assert_eq!(lines[8], event);
        assert!(lines.iter().all(|line| line.trim_end() == *line));
    }

    #[test]
    fn headings_count_bodies() {
        assert_eq!(heading("Eggs", 2.5, 1), "Eggs: 2.5 s, 1 body\n");
        assert_eq!(heading("", 1.0, 3), "Untitled scene: 1 s, 3 bodies\n");
    }
}
