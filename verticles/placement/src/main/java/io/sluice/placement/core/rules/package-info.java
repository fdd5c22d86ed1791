/** The rules of Kubernetes by which a node may take a pod, on tables that are kept up with each change. */
package io.sluice.placement.core.rules;
