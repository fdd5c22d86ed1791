/** What the console knows: the fleet as it stands and how it changes, why each VM and node stands where it does. */
package io.sluice.gateway.core.console;
