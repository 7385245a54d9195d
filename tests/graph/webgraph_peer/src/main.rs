// SPDX-License-Identifier: Apache-2.0

// For each BASE, prints nodes, links, and the same hash over all links that graph_tool prints.
use dsi_bitstream::prelude::{BE, LE};
use lender::for_;
use webgraph::prelude::*;

macro_rules! print_hash {
    ($graph:expr) => {{
        let graph = $graph;
        let (mut links, mut hash) = (0u64, 0xcbf29ce484222325u64);
        for_!((source, targets) in graph {
            for target in targets {
                hash = (hash ^ source as u64).wrapping_mul(0x100000001b3);
                hash = (hash ^ target as u64).wrapping_mul(0x100000001b3);
                links += 1;
            }
        });
        println!("{} {} {:016x}", graph.num_nodes(), links, hash);
    }};
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for base in std::env::args().skip(1) {
        let properties = std::fs::read_to_string(format!("{base}.properties"))?;
        if properties.lines().any(|line| line.trim() == "endianness=little") {
            print_hash!(&BvGraphSeq::with_basename(&base).endianness::<LE>().load()?);
        } else {
            print_hash!(&BvGraphSeq::with_basename(&base).endianness::<BE>().load()?);
        }
    }
    Ok(())
}
