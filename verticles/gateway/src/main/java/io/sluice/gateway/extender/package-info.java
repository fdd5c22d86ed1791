/** The listener for kube-scheduler, which calls Sluice as its extender. */
package io.sluice.gateway.extender;
