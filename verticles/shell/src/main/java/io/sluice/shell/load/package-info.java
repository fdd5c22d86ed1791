/** What VMs use now, and how well a node with that use suits one more. Pure; placement and pressure share it. */
package io.sluice.shell.load;
