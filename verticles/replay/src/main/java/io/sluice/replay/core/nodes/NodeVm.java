package io.sluice.replay.core.nodes;

import io.sluice.replay.core.vm.ScaledReplay;

/**
 * A VM on a replayed node.
 *
 * @param replay its size over time
 * @param placed where it stands
 * @param end the sample at whose beginning it leaves
 */
record NodeVm(ScaledReplay replay, ReplayedNodes.Placed placed, int end) {}
