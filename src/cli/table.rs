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
    let head = ["t [s]", "event", "bodies", "impulse [N s]", "point [m]"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(events.iter().map(event_row));
    format!("\nEvents\n{}", aligned(&rows))
}

/// Many points of one impact show as their mean and the sum of their impulses.
fn event_row(event: &EventLine) -> Vec<String> {
    let sum = |vectors: &[[f64; 3]]| {
        vectors.iter().fold([0.0; 3], |sum, vector| [0, 1, 2].map(|axis| sum[axis] + vector[axis]))
    };
    let count = event.points.len().max(1) as f64;
    let point = sum(&event.points).map(|entry| entry / count);
    let impulse = sum(&event.impulses).iter().map(|entry| entry * entry).sum::<f64>().sqrt();
    let number = if event.kind == "impact" { format!("#{}", event.number) } else { String::new() };
    let grazing = if event.grazing { " (grazing)" } else { "" };
    let points = if event.points.len() > 1 { format!(" (mean of {})", event.points.len()) } else { String::new() };
    vec![
        format!("{:.9}", event.t),
        format!("{}{grazing}", event.kind),
        format!("{}/{}{number}", event.bodies[0], event.bodies[1]),
        number_text(impulse),
        vector_text(&point) + &points,
    ]
}

fn states_at(states: &StatesAt) -> String {
    let head = ["body", "position [m]", "rotation [x y z w]", "velocity [m/s]", "spin [rad/s]"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(states.bodies.0.iter().map(|(name, line)| state_row(name, line)));
    format!("\nStates at {} s\n{}", states.t, aligned(&rows))
}

fn state_row(name: &str, line: &BodyLine) -> Vec<String> {
    vec![
        name.to_owned(),
        vector_text(&line.position),
        vector_text(&line.rotation),
        vector_text(&line.velocity),
        vector_text(&line.spin),
    ]
}

/// Numbers of one column have one width, so that their points stand below each other.
fn vector_text(vector: &[f64]) -> String {
    vector.iter().map(|&entry| number_text(entry)).collect::<Vec<_>>().join(" ")
}

/// Six decimals where that shows the number, powers of ten where it would not.
fn number_text(number: f64) -> String {
    let size = number.abs();
    // A negative zero reads as a slip.
    let number = if number == 0.0 { 0.0 } else { number };
    if size == 0.0 || (5e-7..1e6).contains(&size) { format!("{number:>11.6}") } else { format!("{number:>11.3e}") }
}

/// Left-aligned cells, two blanks between columns, none at the ends of lines.
fn aligned(rows: &[Vec<String>]) -> String {
    let column_count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| Some(row.get(column)?.chars().count())).max();
    let widths: Vec<usize> = (0..column_count).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        format!("  {}", cells.collect::<Vec<_>>().join("  ")).trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::super::motion::tests::example;
    use super::*;

    #[test]
    fn numbers_show_their_size() {
        assert_eq!(number_text(-0.0), "   0.000000");
        assert_eq!(number_text(-9.81), "  -9.810000");
        assert_eq!(number_text(1e-9), "   1.000e-9");
        assert_eq!(number_text(-123456789.0), "   -1.235e8");
    }

    #[test]
    fn columns_stand_below_each_other() {
        let text = states_at(&example().states[0]) + &events(&example().events);
        let lines: Vec<&str> = text.lines().collect();
        let column = |line: usize, word: &str| lines[line].find(word).expect(word);
        assert_eq!(lines[1], "States at 2 s");
        assert_eq!(column(2, "velocity"), column(3, "   0.000000   -0.333333"));
        assert_eq!(column(3, "0.100000"), column(4, "0.100000"));
        assert!(lines[8].contains("zebra/floor#1") && lines[8].contains("5.000000"), "{}", lines[8]);
        assert!(lines[8].ends_with("1.000000    0.000000    0.000000 (mean of 2)"), "{}", lines[8]);
        assert!(lines.iter().all(|line| line.trim_end() == *line));
    }

    #[test]
    fn headings_count_bodies() {
        assert_eq!(heading("Eggs", 2.5, 1), "Eggs: 2.5 s, 1 body\n");
        assert_eq!(heading("", 1.0, 3), "Untitled scene: 1 s, 3 bodies\n");
    }
}
