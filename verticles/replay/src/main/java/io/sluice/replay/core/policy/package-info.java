/** What decides the size of a VM in a replay. */
package io.sluice.replay.core.policy;
