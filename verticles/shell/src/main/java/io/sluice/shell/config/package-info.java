/** Config reading: sources of text in, validated records out, with every error at once. */
package io.sluice.shell.config;
