/** Reads objects of the Kubernetes API and decides what is written to them. Pure: it uses no client. */
package io.sluice.neonvm.core;
