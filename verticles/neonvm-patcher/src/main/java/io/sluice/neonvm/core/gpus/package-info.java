/** GPUs and NUMA zones as nodes and pods name them, in the formats of Sluice and of other node sides. */
package io.sluice.neonvm.core.gpus;
