// SPDX-License-Identifier: Apache-2.0

// webgraph_times BASE FOLDER REPETITIONS: ns of CPU per link to read a big-endian BVGraph with the
// usual codes in sequence, and lists at random; "sequential random index-bits". The index is made in FOLDER.
use dsi_bitstream::prelude::BE;
use epserde::ser::Serialize;
use lender::for_;
use sux::dict::EliasFanoBuilder;
use sux::rank_sel::SelectAdaptConst;
use webgraph::graphs::bvgraph::EF;
use webgraph::prelude::*;

fn cpu_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn best_seconds(repetitions: usize, mut work: impl FnMut()) -> f64 {
    (0..repetitions).fold(f64::MAX, |best, _| {
        let start = cpu_seconds();
        work();
        best.min(cpu_seconds() - start)
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().collect();
    let repetitions: usize = words[3].parse()?;
    let copy = format!("{}/webgraph_times", words[2]);
    for ending in ["graph", "properties"] {
        std::fs::copy(format!("{}.{ending}", words[1]), format!("{copy}.{ending}"))?;
    }
    let sequential =
        BvGraphSeq::with_basename(&copy).endianness::<BE>().dispatch::<Static>().mode::<LoadMem>().load()?;
    let bits = 8 * std::fs::metadata(format!("{copy}.graph"))?.len() as usize;
    let mut index = EliasFanoBuilder::new(sequential.num_nodes() + 1, bits);
    let mut full = Vec::new();
    let mut offsets = sequential.offset_deg_iter();
    for node in 0..sequential.num_nodes() {
        index.push(offsets.get_pos() as usize);
        if offsets.next_degree()? > 0 {
            full.push(node);
        }
    }
    index.push(offsets.get_pos() as usize);
    let index: EF = unsafe { index.build().map_high_bits(SelectAdaptConst::<_, _, 12, 4>::new) };
    index.serialize(&mut std::fs::File::create(format!("{copy}.ef"))?)?;
    let index_bits = 8 * std::fs::metadata(format!("{copy}.ef"))?.len();
    let random =
        BvGraph::with_basename(&copy).endianness::<BE>().dispatch::<Static>().mode::<LoadMem>().load()?;

    let mut links = 0usize;
    let mut sum = 0usize;
    let in_sequence = best_seconds(repetitions, || {
        links = 0;
        for_!((_, targets) in &sequential {
            for target in targets {
                sum = sum.wrapping_add(target);
                links += 1;
            }
        });
    }) / links as f64;
    let mut state = 7u64;
    let queries: Vec<usize> = (0..200_000)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            full[(state >> 33) as usize % full.len()]
        })
        .collect();
    let mut found = 0usize;
    let at_random = best_seconds(repetitions, || {
        found = 0;
        for &node in &queries {
            for target in random.successors(node) {
                sum = sum.wrapping_add(target);
                found += 1;
            }
        }
    }) / found as f64;
    std::hint::black_box(sum);
    println!("{} {} {}", in_sequence * 1e9, at_random * 1e9, index_bits as f64 / links as f64);
    Ok(())
}
