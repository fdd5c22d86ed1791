/** The distribution as a user starts it: processes, ports, signals and exit statuses. */
package io.sluice.interop;
