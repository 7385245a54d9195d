// SPDX-License-Identifier: Apache-2.0

// The part of d3-force that network_scene.ts uses.
declare module "d3-force" {
  export interface Node {
    x: number;
    y: number;
    vx: number;
    vy: number;
  }
  export interface Force {
    strength(value: number): Force;
    distance(value: number): Force;
    distanceMax(value: number): Force;
    theta(value: number): Force;
  }
  export interface Simulation {
    alpha(value: number): Simulation;
    force(name: string, force: Force): Simulation;
    stop(): Simulation;
    tick(): Simulation;
  }
  export function forceSimulation(nodes: Node[]): Simulation;
  export function forceLink(links: { source: Node; target: Node }[]): Force;
  export function forceManyBody(): Force;
  export function forceX(x: number): Force;
  export function forceY(y: number): Force;
}
