/** What the files of control groups mean; pure. */
package io.sluice.pods.node.core;
