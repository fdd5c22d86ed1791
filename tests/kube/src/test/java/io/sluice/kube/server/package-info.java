/** A real control plane with its tools, and faults of the connection to it. */
package io.sluice.kube.server;
