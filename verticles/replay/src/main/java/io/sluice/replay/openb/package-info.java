/** Placement of the tasks of a trace of a GPU cluster: Alibaba's cluster-trace-gpu-v2023, "openb". */
package io.sluice.replay.openb;
