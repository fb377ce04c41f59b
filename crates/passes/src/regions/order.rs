//! Orders CFG nodes so that loop bodies precede loop exits and one iteration precedes the next
//! (reconvergence order).
//!
//! Strongly connected components come in topological order. Inside a component, one node is removed
//! and the rest is ordered in the same way. A loop with a reconvergence point loses that point
//! first, and the point comes last. Not here: the use of the order ([`super::Regions::ranks`]).

use std::collections::BTreeMap;

/// The nodes that are reachable from `entry`, in order. `points` are the reconvergence points;
/// outer loops have lower numbers.
pub(super) fn of(
    entry: usize,
    successors: &[Vec<usize>],
    points: &BTreeMap<usize, usize>,
) -> Vec<usize> {
    let mut out = Vec::new();
    // By node: the number of the set that it is in; 0 is the whole graph.
    let mut inside = vec![0usize; successors.len()];
    let mut sets = 1;
    // Stack of the sets still to be ordered: each with its number and its start nodes.
    let mut work = vec![Todo::Set { starts: vec![entry], number: 0 }];
    while let Some(todo) = work.pop() {
        match todo {
            Todo::Node(n) => out.push(n),
            Todo::Set { starts, number } => {
                // In reverse topological order, so that the first component is popped first.
                for component in components(&starts, successors, &inside, number) {
                    if let [only] = component.as_slice() {
                        work.push(Todo::Node(*only));
                        continue;
                    }
                    let point = component
                        .iter()
                        .filter(|n| points.contains_key(n))
                        .min_by_key(|n| points[n])
                        .copied();
                    let Some(cut) = point.or_else(|| component.first().copied()) else { continue };
                    let rest: Vec<usize> = component.into_iter().filter(|n| *n != cut).collect();
                    for n in &rest {
                        inside[*n] = sets;
                    }
                    inside[cut] = usize::MAX;
                    let rest = Todo::Set { starts: rest, number: sets };
                    // The last set pushed is the first one popped.
                    work.extend(if point.is_some() {
                        [Todo::Node(cut), rest]
                    } else {
                        [rest, Todo::Node(cut)]
                    });
                    sets += 1;
                }
            }
        }
    }
    out
}

enum Todo {
    Node(usize),
    Set { starts: Vec<usize>, number: usize },
}

/// Tarjan's algorithm without recursion, on the nodes of one set. Each component begins with the
/// node through which the search entered it.
pub(super) fn components(
    starts: &[usize],
    successors: &[Vec<usize>],
    inside: &[usize],
    number: usize,
) -> Vec<Vec<usize>> {
    const NONE: usize = usize::MAX;
    let mut index = vec![NONE; successors.len()];
    let mut low = vec![NONE; successors.len()];
    let mut open = vec![false; successors.len()];
    let (mut path, mut out, mut next) = (Vec::new(), Vec::new(), 0);
    for start in starts {
        let mut calls = vec![(*start, 0usize)];
        while let Some((n, at)) = calls.pop() {
            if at == 0 {
                if index[n] != NONE {
                    continue;
                }
                (index[n], low[n], open[n]) = (next, next, true);
                next += 1;
                path.push(n);
            } else if let Some(s) =
                successors[n].get(at - 1).filter(|s| inside[**s] == number && open[**s])
            {
                low[n] = low[n].min(low[*s]);
            }
            if let Some(s) = successors[n].get(at) {
                calls.push((n, at + 1));
                if inside[*s] == number && index[*s] == NONE {
                    calls.push((*s, 0));
                }
                continue;
            }
            if low[n] == index[n] {
                let from = path.iter().rposition(|p| *p == n).unwrap_or(0);
                let component = path.split_off(from);
                for p in &component {
                    open[*p] = false;
                }
                out.push(component);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{BTreeMap, of};

    fn plain(graph: &[Vec<usize>]) -> Vec<usize> {
        of(0, graph, &BTreeMap::new())
    }

    #[test]
    fn straight_lines_and_branches_are_topological() {
        assert_eq!(plain(&[vec![1], vec![2], vec![]]), [0, 1, 2]);
        let order = plain(&[vec![1, 2], vec![3], vec![3], vec![]]);
        assert_eq!((order[0], order[3]), (0, 3));
    }

    #[test]
    fn a_loop_comes_before_what_is_behind_it_however_its_edges_are_listed() {
        // 0 -> 1 (header) -> 2 (body) -> 1; 1 -> 3 (behind)
        for header in [vec![2, 3], vec![3, 2]] {
            assert_eq!(plain(&[vec![1], header, vec![1], vec![]]), [0, 1, 2, 3]);
        }
    }

    #[test]
    fn an_inner_loop_comes_before_the_rest_of_the_outer_one() {
        // outer: 1 -> 2 (inner header) -> 3 -> 2, 2 -> 4 -> 1, 1 -> 5
        let graph = [vec![1], vec![5, 2], vec![4, 3], vec![2], vec![1], vec![]];
        assert_eq!(plain(&graph), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_reconvergence_point_is_the_last_of_its_loop() {
        // 1: header, 2: reconvergence point, 3 and 4: body, 5: exit
        let graph = [vec![1], vec![2], vec![3, 5], vec![4], vec![1], vec![]];
        assert_eq!(of(0, &graph, &BTreeMap::from([(2, 0)])), [0, 3, 4, 1, 2, 5]);
        // The same with an inner loop: 3 its header, 4 its reconvergence point, 6 its body; then
        // back to 1.
        let graph = [vec![1], vec![2], vec![3, 5], vec![4], vec![6, 1], vec![], vec![3]];
        let order = of(0, &graph, &BTreeMap::from([(2, 0), (4, 1)]));
        let at = |n: usize| order.iter().position(|x| *x == n).unwrap();
        assert!(at(6) < at(4) && at(4) < at(2) && at(2) < at(5), "{order:?}");
    }

    #[test]
    fn loops_with_two_entries_are_ordered_too() {
        let mut order = plain(&[vec![1, 2], vec![2], vec![1, 3], vec![]]);
        assert_eq!(order.last(), Some(&3));
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2, 3]);
    }
}
