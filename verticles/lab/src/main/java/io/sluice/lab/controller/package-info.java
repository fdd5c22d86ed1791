/** Stands in for the controller that makes VMs what their objects say. */
package io.sluice.lab.controller;
