/** GPUs as nodes and pods name them, in the annotations of Sluice and of other node sides. */
package io.sluice.neonvm.core.gpus;
