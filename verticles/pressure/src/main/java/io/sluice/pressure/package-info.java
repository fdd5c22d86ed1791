/** The role that migrates VMs away from full nodes, as a verticle; its rules are in {@code core}. */
package io.sluice.pressure;
