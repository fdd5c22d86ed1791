/** The HTTP doors of a process: agents ask for permits at one, operators and probes look in at the other. */
package io.sluice.gateway;
