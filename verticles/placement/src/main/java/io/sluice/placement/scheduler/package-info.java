/** Places pods without kube-scheduler, under a scheduler name of its own. */
package io.sluice.placement.scheduler;
