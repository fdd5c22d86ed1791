/** What clients of HTTP servers share. */
package io.sluice.shell.http;
