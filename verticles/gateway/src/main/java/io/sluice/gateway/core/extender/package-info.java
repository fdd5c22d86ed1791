/** The protocol of kube-scheduler's extenders, without I/O. */
package io.sluice.gateway.core.extender;
