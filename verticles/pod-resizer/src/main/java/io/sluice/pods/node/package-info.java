/**
 * The node agent: it reads the control groups of pods on its own node when the kernel reports that they lack something,
 * and reports limits that differ from those of a pod's status.
 */
package io.sluice.pods.node;
