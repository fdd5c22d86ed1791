/** Commands that send requests to a running process through its console listener. */
package io.sluice.launcher.client;
