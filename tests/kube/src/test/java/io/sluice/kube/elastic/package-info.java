/** Elastic jobs on a real API server. */
package io.sluice.kube.elastic;
