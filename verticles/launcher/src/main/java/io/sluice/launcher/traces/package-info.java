/**
 * Records traces with OpenTelemetry, where its environment variables ask for that; nothing of it is loaded otherwise.
 */
package io.sluice.launcher.traces;
