/** The rules of placement beside those of a real kube-scheduler. */
package io.sluice.kube.rules;
