/** How a process joins others: Hazelcast's member, the bus on top of it, and who else there is. */
package io.sluice.launcher.cluster;
