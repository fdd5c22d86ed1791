package io.sluice.replay.core.nodes;

import io.sluice.replay.core.score.PolicyScore;

/**
 * What a fleet on nodes of limited size was given and lacked under one policy, for one resource.
 *
 * @param sum of the VMs that were placed
 * @param unplaced how many VMs fit nowhere
 * @param denied how many upscales the ledger denied, in whole or in part
 * @param fullestNode how many VMs stand on the node with the most
 */
public record NodesScore(PolicyScore sum, int unplaced, long denied, int fullestNode) {}
