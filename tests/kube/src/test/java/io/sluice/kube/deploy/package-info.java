/** Tests of {@code deploy/} on a real API server: what it grants, and to whom. */
package io.sluice.kube.deploy;
