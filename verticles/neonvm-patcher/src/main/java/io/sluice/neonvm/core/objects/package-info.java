/** Reads objects of the Kubernetes API, and writes those and the patches that are sent to it. Pure. */
package io.sluice.neonvm.core.objects;
