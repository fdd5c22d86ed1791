/** An embedded fleet that speaks the real protocols: Kubernetes API, controller, guests, and an auditor beside them. */
package io.sluice.lab;
