/** A Kubernetes API server in memory, on loopback HTTP: as much of one as Sluice and its lab need. */
package io.sluice.lab.api;
