/** Sessions with the monitors inside VMs. They are dialled, proven, kept alive, and closed when no longer requested. */
package io.sluice.monitor;
