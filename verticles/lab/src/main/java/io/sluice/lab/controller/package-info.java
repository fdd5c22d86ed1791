/** Simulates the NeonVM controller, which applies the specs of VM objects. */
package io.sluice.lab.controller;
