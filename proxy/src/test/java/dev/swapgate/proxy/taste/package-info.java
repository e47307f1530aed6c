/**
 * Taste as tests: the arrows between the rooms of all three modules, and how their sources are
 * written. They stand in the street side because it alone sees the whole house. Nothing is tested
 * here that a user would notice.
 */
@NullMarked
package dev.swapgate.proxy.taste;

import org.jspecify.annotations.NullMarked;
