/** Simulates kube-scheduler before its extender, for pods of the lab. */
package io.sluice.lab.scheduler;
