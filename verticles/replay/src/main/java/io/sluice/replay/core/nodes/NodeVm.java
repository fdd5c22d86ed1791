package io.sluice.replay.core.nodes;

import io.sluice.replay.core.vm.ScaledReplay;

/**
 * A VM on a replayed node.
 *
 * @param replay its size over time
 * @param placed where it stands
 */
record NodeVm(ScaledReplay replay, ReplayedNodes.Placed placed) {}
