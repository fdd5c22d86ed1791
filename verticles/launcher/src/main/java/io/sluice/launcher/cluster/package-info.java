/** How a process joins others: Hazelcast's member, the bus on top of it, and the other processes. */
package io.sluice.launcher.cluster;
