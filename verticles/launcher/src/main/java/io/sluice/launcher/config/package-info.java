/** The config of a process: its sections, which of them are in force, and how changes come into force. */
package io.sluice.launcher.config;
