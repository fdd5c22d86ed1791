/** What was heard of the cluster, and what was not heard of any more. */
package io.sluice.pressure.core.observed;
