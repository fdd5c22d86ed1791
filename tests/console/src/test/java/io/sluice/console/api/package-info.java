/** A scripted API of the console with a synthetic fleet, and the server of both. */
package io.sluice.console.api;
