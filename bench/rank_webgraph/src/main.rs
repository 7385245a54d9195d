// SPDX-License-Identifier: Apache-2.0

// rank_webgraph LINKS NODES THREADS REPETITIONS SCORE...: prints "name \t CPU seconds \t wall seconds \t iterations" as rank_peers.py
// does, one line per repetition after a first call that is not counted.
//
// LINKS holds all sources and then all targets, 32 bits each. The times are of the call alone, on the transposed graph in
// plain rows in memory, to 1e-9 by the bound that the library proves. It knows one score, pagerank.
use std::time::Instant;
use webgraph::graphs::{csr_graph::CsrGraph, vec_graph::VecGraph};
use webgraph_algo::rank::pagerank::{preds, Mode, PageRank};

fn cpu_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn transposed(path: &str, nodes: usize) -> Result<CsrGraph, std::io::Error> {
    let bytes = std::fs::read(path)?;
    let number = |place: usize| u32::from_le_bytes(bytes[4 * place..4 * place + 4].try_into().unwrap()) as usize;
    let links = bytes.len() / 8;
    let mut turned: Vec<(usize, usize)> = (0..links).map(|i| (number(links + i), number(i))).collect();
    turned.sort_unstable();
    let mut graph = VecGraph::empty(nodes);
    graph.add_arcs(turned);
    Ok(CsrGraph::from_seq_graph(&graph))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().collect();
    if !words[5..].iter().any(|score| score == "pagerank") {
        return Ok(());
    }
    let (nodes, threads, repetitions): (usize, usize, usize) = (words[2].parse()?, words[3].parse()?, words[4].parse()?);
    let graph = transposed(&words[1], nodes)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let plural = if threads == 1 { "" } else { "s" };
    for repetition in 0..=repetitions {
        let (cpu, wall) = (cpu_seconds(), Instant::now());
        let (best, iterations) = pool.install(|| {
            let mut ranking = PageRank::new(&graph);
            ranking.mode(Mode::WeaklyPreferential);
            ranking.run(preds::L1Norm::try_from(1e-9).unwrap());
            (ranking.rank().iter().cloned().fold(0.0, f64::max), ranking.iterations())
        });
        let (cpu, wall) = (cpu_seconds() - cpu, wall.elapsed().as_secs_f64());
        assert!(best > 0.0);
        if repetition > 0 {
            println!("pagerank: webgraph, {threads} thread{plural}\t{cpu}\t{wall}\t{iterations}");
        }
    }
    Ok(())
}
