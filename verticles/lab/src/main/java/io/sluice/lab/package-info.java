/** An embedded fleet with the real protocols: a Kubernetes API, controllers, guests, and an auditor. */
package io.sluice.lab;
