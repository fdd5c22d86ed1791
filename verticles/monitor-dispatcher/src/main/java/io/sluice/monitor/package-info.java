/** Sessions with the monitors inside VMs: dialled, proven, kept alive, and closed when nobody asks for them. */
package io.sluice.monitor;
