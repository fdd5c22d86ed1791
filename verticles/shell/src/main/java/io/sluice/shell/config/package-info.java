/** Config reading: layers of text in, validated records out, every error at once. */
package io.sluice.shell.config;
