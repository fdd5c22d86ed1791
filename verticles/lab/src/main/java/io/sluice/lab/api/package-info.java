/** A Kubernetes API server in memory, on loopback HTTP, with the part of the API that Sluice and its lab need. */
package io.sluice.lab.api;
